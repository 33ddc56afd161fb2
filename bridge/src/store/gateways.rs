//! Gateways: named model endpoints. A key is never here, only the name of where it stands.

use super::columns::{get, int};
use super::writer::Durability;
use super::{Store, StoreError};
use rex_shared::ids::{GatewayId, Millis, Sdk};
use rex_shared::wire::agent::Gateway;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

const SELECT: &str = "SELECT id, name, base_url, key_ref FROM agent_gateway";

impl Store {
    /// All gateways, the built-in one first. One without sdks serves all.
    pub async fn gateways(&self) -> Result<Vec<Gateway>, StoreError> {
        self.read(all).await
    }

    /// One gateway.
    pub async fn gateway(&self, gateway: &GatewayId) -> Result<Option<Gateway>, StoreError> {
        let gateway = gateway.clone();
        self.read(move |db| find(db, &gateway)).await
    }

    /// Makes a gateway; a repeat with the same body is harmless.
    pub async fn create_gateway(&self, gateway: Gateway, now: Millis) -> Result<(), StoreError> {
        self.write(Durability::Kept, move |db| {
            match find(db, &gateway.gateway_id)? {
                Some(known) if known == gateway => return Ok(()),
                Some(_) => return Err(StoreError::IdReused("gateway")),
                None => {}
            }
            db.execute(
                "INSERT INTO agent_gateway (id, name, base_url, key_ref, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![
                    gateway.gateway_id.as_str(),
                    gateway.name,
                    gateway.base_url,
                    gateway.key_ref,
                    now.0
                ],
            )?;
            set_lists(db, &gateway)
        })
        .await
    }

    /// Changes a gateway to this.
    pub async fn change_gateway(&self, gateway: Gateway) -> Result<(), StoreError> {
        self.write(Durability::Kept, move |db| {
            check_own(&gateway.gateway_id)?;
            let changed = db.execute(
                "UPDATE agent_gateway SET name = ?2, base_url = ?3, key_ref = ?4 WHERE id = ?1",
                params![
                    gateway.gateway_id.as_str(),
                    gateway.name,
                    gateway.base_url,
                    gateway.key_ref
                ],
            )?;
            if changed == 0 {
                return Err(StoreError::UnknownGateway);
            }
            set_lists(db, &gateway)
        })
        .await
    }

    /// Deletes a gateway with its session rows. What was said through it stays.
    pub async fn delete_gateway(&self, gateway: &GatewayId) -> Result<(), StoreError> {
        let gateway = gateway.clone();
        self.write(Durability::Kept, move |db| {
            check_own(&gateway)?;
            let deleted = db.execute(
                "DELETE FROM agent_gateway WHERE id = ?1",
                [gateway.as_str()],
            )?;
            if deleted == 0 {
                return Err(StoreError::UnknownGateway);
            }
            Ok(())
        })
        .await
    }
}

fn check_own(gateway: &GatewayId) -> Result<(), StoreError> {
    if gateway.is_default() {
        return Err(StoreError::BuiltInGateway);
    }
    Ok(())
}

fn find(db: &Connection, gateway: &GatewayId) -> Result<Option<Gateway>, StoreError> {
    db.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?
        .query_row([gateway.as_str()], gateway_of)
        .optional()?
        .map(|gateway| with_lists(db, gateway))
        .transpose()
}

pub(super) fn all(db: &Connection) -> Result<Vec<Gateway>, StoreError> {
    let mut found = db.prepare_cached(&format!("{SELECT} ORDER BY created_at, id"))?;
    let found: Vec<Gateway> = found.query_map([], gateway_of)?.collect::<Result<_, _>>()?;
    found
        .into_iter()
        .map(|gateway| with_lists(db, gateway))
        .collect()
}

fn gateway_of(row: &Row<'_>) -> rusqlite::Result<Gateway> {
    Ok(Gateway {
        gateway_id: get(row, "id")?,
        name: row.get("name")?,
        sdks: Vec::new(),
        base_url: row.get("base_url")?,
        key_ref: row.get("key_ref")?,
        models: Vec::new(),
    })
}

fn with_lists(db: &Connection, gateway: Gateway) -> Result<Gateway, StoreError> {
    let id = gateway.gateway_id.as_str();
    let mut sdks =
        db.prepare_cached("SELECT sdk FROM gateway_sdk WHERE gateway_id = ?1 ORDER BY ordinal")?;
    let sdks = sdks.query_map([id], |row| get::<Sdk>(row, "sdk"))?;
    let sdks = sdks.collect::<Result<_, _>>()?;
    let mut models = db
        .prepare_cached("SELECT model FROM gateway_model WHERE gateway_id = ?1 ORDER BY ordinal")?;
    let models = models.query_map([id], |row| row.get(0))?;
    let models = models.collect::<Result<_, _>>()?;
    Ok(Gateway {
        sdks,
        models,
        ..gateway
    })
}

fn set_lists(db: &Connection, gateway: &Gateway) -> Result<(), StoreError> {
    let id = gateway.gateway_id.as_str();
    db.execute("DELETE FROM gateway_sdk WHERE gateway_id = ?1", [id])?;
    for (at, sdk) in gateway.sdks.iter().enumerate() {
        db.execute(
            "INSERT INTO gateway_sdk (gateway_id, ordinal, sdk) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![id, int(at as u64), sdk.as_str()],
        )?;
    }
    db.execute("DELETE FROM gateway_model WHERE gateway_id = ?1", [id])?;
    for (at, model) in gateway.models.iter().enumerate() {
        db.execute(
            "INSERT INTO gateway_model (gateway_id, ordinal, model) VALUES (?1, ?2, ?3)",
            params![id, int(at as u64), model],
        )?;
    }
    Ok(())
}
