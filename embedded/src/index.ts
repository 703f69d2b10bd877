export { backupFolder, restoreFolder } from './backup.ts';
export { formatVersion, openDataFolder, StartRefused, type DataFolder } from './data-folder.ts';
export { diskNote } from './disk-note.ts';
export { bindRefusal, embeddedConfig, type EmbeddedConfig } from './embedded-settings.ts';
export { openStoppedStore } from './open-stopped-store.ts';
export { startEmbedded, type RunningParley } from './start-embedded.ts';
export { endMove, moveFolder, type MoveDestination } from './move-folder.ts';
export { type MovedPart } from './move-mark.ts';
