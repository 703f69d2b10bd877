export * from './mongo.ts';
export * from './tenant-scope.ts';
