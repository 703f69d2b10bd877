export * from './blobs.ts';
export * from './folder/folder-blobs.ts';
export * from './size-meter.ts';
