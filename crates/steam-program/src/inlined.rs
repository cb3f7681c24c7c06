//! Functions that are one step because their names say so, and that the compiler has inlined: there they are no
//! step, which must not pass in silence.

use std::collections::BTreeSet;

use steam_image::{Image, Inlined};
use steam_libc::is_one_step;
use steam_report::located;

/// Says which functions are no step where they were inlined.
pub(super) fn note(image: &Image) -> Option<String> {
    let declared = image.declarations.get().ok()?;
    if !declared.all_functions().any(|function| is_one_step(&function.name)) {
        return None;
    }
    let with_code = declared.all_functions().filter(|function| !function.ranges.is_empty());
    let inlined = with_code.flat_map(|function| {
        let body = declared.body(function);
        let calls = body.inlined.iter().filter(|call| is_one_step(&call.name));
        calls.map(|call| described(image, call)).collect::<Vec<_>>()
    });
    let names: Vec<String> = inlined.collect::<BTreeSet<_>>().into_iter().collect();
    (!names.is_empty()).then(|| {
        format!(
            "the compiler has inlined {}, which is no atomic step there: compile with -fno-inline, or let \
             steam compile the source",
            names.join(", ")
        )
    })
}

/// The name of a function that was inlined, and where it is called.
fn described(image: &Image, call: &Inlined) -> String {
    let locations = call.ranges.first().map(|range| located(image, range.0)).unwrap_or_default();
    let mut outer =
        locations.iter().skip_while(|location| !location.function_name().ends_with(&*call.name));
    match outer.nth(1).filter(|it| it.has_line()) {
        Some(place) => format!("`{}` ({})", call.name, place.line_position()),
        None => format!("`{}`", call.name),
    }
}
