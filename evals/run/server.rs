//! What a model server says about itself, so that no row of results has a name that somebody only believed (H13, H34).

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value as Json};

use sedum::selection::client::{Settings, choose_cryptography};

use super::super::failure::Failure;

/// How long the server may take to say it.
const LIMIT: Duration = Duration::from_secs(10);
/// What is kept of what a server says of its model.
const KEPT: [&str; 6] = [
    "n_params",
    "n_ctx_train",
    "n_vocab",
    "size",
    "n_ctx",
    "owned_by",
];

/// The address that questions go to, without the call's own part.
pub fn base(settings: &Settings) -> String {
    let shown = settings.endpoint_shown();
    let base = shown.strip_suffix("/chat/completions").unwrap_or(shown);
    base.to_owned()
}

/// The first model that the server lists: its id, of a path the last part, and its numbers. A server that lists none
/// gives null.
pub fn reported(settings: &Settings) -> Result<Json, Failure> {
    let base = base(settings);
    let unreachable = |why: &str| Failure::server(format!("{base}/models gives no answer: {why}"));
    choose_cryptography();
    let client = reqwest::blocking::Client::builder()
        .timeout(LIMIT)
        .no_proxy()
        .tls_certs_only([])
        .build()
        .map_err(|e| unreachable(&e.to_string()))?;
    let client = if base.starts_with("https:") {
        reqwest::blocking::Client::builder()
            .timeout(LIMIT)
            .build()
            .map_err(|e| unreachable(&e.to_string()))?
    } else {
        client
    };
    let mut request = client.get(format!("{base}/models"));
    if let Some(key) = std::env::var("OPENAI_API_KEY")
        .ok()
        .filter(|k| !k.is_empty())
    {
        request = request.bearer_auth(key);
    }
    let response = request
        .send()
        .map_err(|e| unreachable(&e.without_url().to_string()))?;
    if !response.status().is_success() {
        // Some servers have no list of models and answer questions all the same.
        return Ok(Json::Null);
    }
    let text = response.text().unwrap_or_default();
    let listed: Json = serde_json::from_str(&text).unwrap_or_default();
    Ok(first(&listed))
}

fn first(listed: &Json) -> Json {
    let Some(model) = listed.pointer("/data/0") else {
        return Json::Null;
    };
    let mut kept = Map::new();
    if let Some(id) = model.get("id").and_then(Json::as_str) {
        let name = Path::new(id).file_name().map(|name| name.to_string_lossy());
        kept.insert("id".to_owned(), name.as_deref().unwrap_or(id).into());
    }
    for place in [Some(model), model.get("meta")].into_iter().flatten() {
        for name in KEPT {
            if let Some(value) = place.get(name).filter(|v| v.is_number() || v.is_string()) {
                kept.insert(name.to_owned(), value.clone());
            }
        }
    }
    Json::Object(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn h13_of_a_path_only_the_name_is_kept() {
        let listed =
            json!({"data": [{"id": "/home/somebody/m.gguf", "meta": {"n_params": 5, "x": 1}}]});
        assert_eq!(first(&listed), json!({"id": "m.gguf", "n_params": 5}));
        assert_eq!(first(&json!({"data": []})), Json::Null);
    }
}
