export * from './mongo.ts';
export * from './store-away.ts';
export * from './tenant-scope.ts';
