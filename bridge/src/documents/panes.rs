//! A document's places with a proposal beside it: resolved against both texts. Writes nothing.

use super::{Documents, Text};
use crate::store::{Anchor, Standing};
use rex_shared::ids::{PlaceId, WorkspaceId};
use rex_shared::locate::panes::between_panes;
use rex_shared::wire::place::PlaceState;
use rex_shared::wire::problem::Problem;
use rex_shared::wire::proposal::ComparedPlace;
use std::collections::HashMap;

impl Documents {
    /// What each place of a document is about while `proposed` stands beside `text`. A text that is not there holds
    /// nothing.
    pub async fn places_between(
        &self,
        workspace: &WorkspaceId,
        text: Option<&Text>,
        proposed: Option<&Text>,
    ) -> Result<Vec<ComparedPlace>, Problem> {
        let here = self.standing_in(workspace, text).await?;
        let there = self.standing_in(workspace, proposed).await?;
        let document = text.or(proposed).map_or("", |text| &text.document);
        let places = self.0.store.document_places(workspace, document).await?;
        let compared = places.into_iter().map(|mut place| {
            let id = &place.place.place_id;
            let (here, there) = (here.get(id), there.get(id));
            let state = |standing: Option<&(Anchor, Standing)>| {
                standing.map_or(PlaceState::Gone, |(_, standing)| standing.state)
            };
            let made_there = there.is_some_and(|(anchor, _)| {
                proposed.is_some_and(|text| text.version == anchor.version)
            });
            let both = between_panes(state(here), state(there), made_there);
            let found = |standing: Option<&(Anchor, Standing)>| {
                standing.and_then(|(_, standing)| standing.found.clone())
            };
            let in_proposal = found(there).map(|found| (found.start, found.end));
            let shown = found(here).zip(text).or_else(|| found(there).zip(proposed));
            if let Some((found, text)) = shown {
                place.place.start = found.start;
                place.place.end = found.end;
                place.place.quote = found.quote;
                place.place.version = text.version.clone();
            }
            place.place.state = state(here);
            ComparedPlace {
                place,
                about: both.about,
                document: both.document,
                proposal: both.proposal,
                in_proposal,
            }
        });
        Ok(compared.collect())
    }

    /// Places of a document that stand in a version of it.
    pub async fn places_standing(
        &self,
        workspace: &WorkspaceId,
        text: &Text,
    ) -> Result<Vec<PlaceId>, Problem> {
        let standings = self.standings(workspace, text).await?;
        let standing = standings
            .into_iter()
            .filter(|(_, standing)| standing.found.is_some());
        Ok(standing.map(|(anchor, _)| anchor.place_id).collect())
    }

    async fn standing_in(
        &self,
        workspace: &WorkspaceId,
        text: Option<&Text>,
    ) -> Result<HashMap<PlaceId, (Anchor, Standing)>, Problem> {
        let Some(text) = text else {
            return Ok(HashMap::new());
        };
        let standings = self.standings(workspace, text).await?;
        let by_place = standings
            .into_iter()
            .map(|(anchor, standing)| (anchor.place_id.clone(), (anchor, standing)));
        Ok(by_place.collect())
    }
}
