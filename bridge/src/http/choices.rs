//! What a person may choose, checked before it is stored: it reaches an agent's arguments and environment later.

use super::problem::ApiProblem;
use rex_shared::endpoint::{is_base_url, is_key_ref, is_model};
use rex_shared::wire::agent::Gateway;
use rex_shared::wire::problem::ProblemType;
use rex_shared::wire::prompt::PromptImage;

/// Letters of a gateway's name.
const NAME: usize = 100;
/// Models of a gateway.
const MODELS: usize = 500;
/// What a browser shows as an image without running anything of it.
const IMAGES: [&str; 4] = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/// A model's name, when one is chosen.
pub(super) fn check_model(model: Option<&str>) -> Result<(), ApiProblem> {
    match model {
        Some(model) if !is_model(model) => Err(unfit(
            "This is no model's name",
            "A model's name is letters, digits and . _ : / @ - and begins with a letter or digit.",
        )),
        _ => Ok(()),
    }
}

/// The images of a prompt.
pub(super) fn check_images(images: &[PromptImage]) -> Result<(), ApiProblem> {
    let known = |image: &PromptImage| IMAGES.contains(&image.media_type.as_str());
    if images.iter().all(known) {
        return Ok(());
    }
    Err(unfit(
        "This kind of image cannot be sent",
        "REX sends PNG, JPEG, GIF and WebP images.",
    ))
}

/// A gateway of the person's own.
pub(super) fn check_gateway(gateway: &Gateway) -> Result<(), ApiProblem> {
    let name = gateway.name.trim();
    if name.is_empty() || name.chars().count() > NAME || name.contains(char::is_control) {
        return Err(unfit(
            "A gateway needs a name",
            "A name is one line of 1 to 100 letters.",
        ));
    }
    if gateway
        .base_url
        .as_deref()
        .is_some_and(|url| !is_base_url(url))
    {
        return Err(unfit(
            "This is no address of a gateway",
            "An address begins with http:// or https:// and has no name or password in it.",
        ));
    }
    if gateway
        .key_ref
        .as_deref()
        .is_some_and(|key| !is_key_ref(key))
    {
        return Err(unfit(
            "This does not say where the key stands",
            "It is env:NAME for a variable, or file:/PATH for a file. The key itself is never stored.",
        ));
    }
    if gateway.models.len() > MODELS {
        return Err(unfit(
            "Too many models",
            "A gateway offers at most 500 models.",
        ));
    }
    gateway
        .models
        .iter()
        .try_for_each(|model| check_model(Some(model)))
}

fn unfit(title: &str, rule: &str) -> ApiProblem {
    ApiProblem::new(
        ProblemType::BadRequest,
        title,
        &format!("{rule} Nothing was changed."),
        "Change it and try again.",
    )
}
