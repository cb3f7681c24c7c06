//! The report as JSON, read back by a parser and compared with the documented fields.

use crate::reports::{DIGEST, deadlock, glob, no_error, unknown};
use serde_json::{Value, json};
use steam_trail::render::{self, View};
use steam_trail::{Compared, Divergence, Report, sha256};

fn read(report: &Report) -> Value {
    let text = render::json(report, &View::default());
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_documented_report_of_glob() {
    let report = read(&glob());
    assert_eq!(report["schema"], "steam-report/1");
    assert_eq!(report["tool"], json!({"name": "steam", "version": "0.1.0"}));
    assert_eq!(
        report["program"],
        json!({"path": "glob.elf", "sha256": DIGEST, "libc": "musl", "args": []})
    );
    let config = &report["config"];
    for (key, value) in [("algo", "astar"), ("heur", "pl2"), ("atomic", "lgc"), ("store", "tree")] {
        assert_eq!(config[key], value);
    }
    assert_eq!((&config["por"], &config["seed"]), (&json!("source"), &json!(0)));
    assert_eq!(config["limits"]["memory"], json!(4294967296u64));
    assert_eq!(config["limits"]["time_ms"], Value::Null);
    assert_eq!(
        report["verdict"],
        json!({"result": "violation", "complete": false, "reason": null})
    );
    let violation = &report["violations"][0];
    assert_eq!(violation["kind"], "assert");
    assert_eq!(violation["message"], "`glob != 8` is false");
    assert_eq!(
        violation["location"],
        json!({"file": "glob.c", "line": 20, "column": 5, "function": "main"})
    );
    assert_eq!((&violation["thread"], &violation["step"]), (&json!(1), &json!(7)));
    assert_eq!(
        violation["threads"][1],
        json!({"id": 2, "name": "MyThread", "state": "finished", "frames": [
            {"function": "MyThread::run", "file": "MyThread.cc", "line": 16, "column": null,
             "pc": "0x08049abc"}], "holds": [], "waits": null})
    );
    let fingerprint = sha256(b"assert\nglob.c\nmain\nVASSERT(glob != 8);");
    assert_eq!(violation["fingerprint"], fingerprint);
    assert_eq!(violation["id"], format!("assert-{}", &fingerprint[..4]));
    assert_eq!(report["trail"]["file"], "glob.trail");
    assert_eq!(
        report["trail"]["steps"][2],
        json!({"n": 3, "thread": 3, "pc": "0x08049030", "file": "MyThread.cc", "line": 15,
            "function": "MyThread::run", "switch": true,
            "choice": {"taken": 3, "value": 0, "enabled": [2, 3]},
            "changes": [{"expr": "glob", "from": "0", "to": "3"}], "sync": null, "output": null})
    );
    assert_eq!(
        report["stats"],
        json!({"states": 41, "transitions": 96, "depth": 9, "switches": 3, "iterations": 1,
            "time_ms": 20, "peak_bytes": 3250000,
            "store_bytes": 656, "truncated": []})
    );
}

#[test]
fn what_a_thread_holds_and_waits_for() {
    let report = read(&deadlock());
    let thread = &report["violations"][0]["threads"][1];
    assert_eq!(thread["holds"][0]["what"], "fork[0]");
    assert_eq!(thread["holds"][0]["taken"]["line"], 14);
    assert_eq!(thread["waits"]["what"], "fork[1]");
    assert_eq!(thread["waits"]["for"], json!([3]));
}

#[test]
fn unknown_and_complete_are_told_apart() {
    let unknown = read(&unknown());
    assert_eq!(
        unknown["verdict"],
        json!({"result": "unknown", "complete": false, "reason": "syscall 271 futimesat at io.c:40"})
    );
    assert_eq!(unknown["violations"], json!([]));
    assert_eq!(unknown["unknowns"][0]["kind"], "unknown-system-call");
    assert_eq!(unknown["trail"]["steps"][0]["output"], "touching\n");
    let complete = read(&no_error());
    assert_eq!(
        complete["verdict"],
        json!({"result": "no-error", "complete": true, "reason": null})
    );
    assert_eq!(complete["trail"], Value::Null);
    assert_eq!(complete["exits"], json!([0, 3]));
}

#[test]
fn times_can_be_dropped() {
    let view = View { times: false, ..View::default() };
    let report: Value = serde_json::from_str(&render::json(&glob(), &view)).unwrap();
    assert_eq!(report["stats"]["time_ms"], Value::Null);
    assert_eq!(report["stats"]["peak_bytes"], Value::Null);
    assert_eq!(report["stats"]["states"], 41);
}

#[test]
fn a_replay_says_whether_it_reproduced() {
    let view = View::default();
    let same = render::json_replay(&glob(), &Compared::Same, &view);
    let same: Value = serde_json::from_str(&same).unwrap();
    assert_eq!(same["replay"], json!({"reproduced": true, "step": null, "why": null}));
    let at = Divergence { step: 4, why: "why".into() };
    let other = render::json_replay(&no_error(), &Compared::Diverged(at), &view);
    let other: Value = serde_json::from_str(&other).unwrap();
    assert_eq!(other["replay"], json!({"reproduced": false, "step": 4, "why": "why"}));
    assert!(read(&glob()).get("replay").is_none());
}

/// Each trail is reported once: the first beside the violations, the others within theirs.
#[test]
fn every_error_has_its_trail() {
    let mut both = glob();
    both.violations.extend(deadlock().violations);
    let report = read(&both);
    assert_eq!(report["trail"]["file"], "glob.trail");
    assert!(report["violations"][0].get("trail").is_none());
    assert_eq!(report["violations"][1]["trail"]["file"], "philo.trail");
}
