//! What a check gets comes back through a trail file.

use steam_check::{
    Atomic, ClaimTexts, Config, Error, ErrorClass, Files, Judgement, Kept, Origin, Scenario, record,
};
use steam_compile::Build;
use steam_trail::{Setting, Trail, file};

fn setting(name: &str, value: &[u8]) -> Setting {
    Setting { name: name.to_owned(), value: value.to_vec() }
}

fn scenario() -> Scenario {
    let build = Build {
        inputs: vec!["a b.c".into(), "c.o".into()],
        compiler: Some("clang".into()),
        flags: vec!["-O2".into(), "-DX=a b".into()],
    };
    let mut scenario = Scenario::new(Origin::Build(build));
    scenario.guest.arguments.push("é \"x\"".as_bytes().to_vec());
    scenario.guest.environment = vec![b"A=b c".to_vec(), b"B=".to_vec()];
    scenario.guest.stdin = Some("in put".into());
    scenario.guest.files = Files::None;
    scenario.judgement = Judgement {
        atomic: Atomic::Line,
        find: vec![ErrorClass::Assert, ErrorClass::Exit],
        spurious: true,
        still: true,
        divergence: Some(77),
        livelock: Some(5),
        progress_lines: vec!["a.c:3".into()],
    };
    scenario.claims = ClaimTexts {
        invariants: vec!["x < 3".into()],
        formulas: vec!["G F y".into(), "F x".into()],
        automata: vec![("a.hoa".into(), "HOA: v1\n--END--\n".into())],
        ..ClaimTexts::default()
    };
    scenario
}

fn recorded(scenario: Scenario) -> Trail {
    record(&Config::of(scenario), &"0".repeat(64), "clock".into())
}

fn read_back(trail: &Trail) -> Result<Kept, Error> {
    Kept::of(&file::parse(file::write(trail).as_bytes()).unwrap())
}

/// What a check gets comes back through a trail file.
#[test]
fn a_trail_remembers_the_scenario() {
    let scenario = scenario();
    let trail = recorded(scenario.clone());
    let kept = read_back(&trail).unwrap();
    assert_eq!(kept, Kept { scenario, known: "clock".into(), claim: None });
}

#[test]
fn the_usual_scenario_comes_back_too() {
    let scenario = Scenario::new(Origin::Executable("p".into()));
    assert_eq!(read_back(&recorded(scenario.clone())).unwrap().scenario, scenario);
}

#[test]
fn what_is_not_understood_is_refused() {
    let refusal = |name: &str, value: &[u8]| {
        let mut trail = recorded(scenario());
        trail.settings = vec![setting(name, value)];
        read_back(&trail).unwrap_err().to_string()
    };
    assert_eq!(refusal("weather", b"fine"), "the setting `weather` is not known to this steam");
    assert_eq!(refusal("find", b"bugs"), "`bugs` is not known to this steam");
    assert!(refusal("divergence", b"x").contains("no number"));
    assert!(refusal("claim", b"x").contains("no number"));
}

#[test]
fn flags_without_anything_to_compile_mean_the_program_itself() {
    let mut trail = recorded(Scenario::new(Origin::Executable("p".into())));
    trail.settings = vec![setting("cc", b"gcc")];
    let origin = read_back(&trail).unwrap().scenario.origin;
    assert_eq!(origin, Origin::Executable("p".into()));
}
