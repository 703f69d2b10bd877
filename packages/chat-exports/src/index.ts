/** Reads exports of ChatGPT, Claude, Open WebUI, LibreChat and Parley, without storing anything. */
export { DamagedContent, isDamage } from './archive.ts';
export { openExport, type OpenOptions } from './open-export.ts';
export * from './read-chat.ts';
