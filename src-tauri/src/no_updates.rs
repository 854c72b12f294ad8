//! In builds without the feature `updater`, the system updates Gleaner.

use gleaner_app::UpdateError;
use gleaner_contract::UpdateProgress;
use tauri::AppHandle;

/// Updates that the system installs.
pub struct Updates;

impl Updates {
    pub fn new(_tauri: &AppHandle) -> Self {
        Self
    }

    pub fn is_on(&self) -> bool {
        false
    }

    pub async fn find(&self, _tauri: &AppHandle, _daily: bool) -> Result<Option<String>, UpdateError> {
        Err(UpdateError::BySystem)
    }

    pub async fn install(&self, _progress: Box<dyn FnMut(UpdateProgress) + Send>) -> Result<(), UpdateError> {
        Err(UpdateError::BySystem)
    }
}
