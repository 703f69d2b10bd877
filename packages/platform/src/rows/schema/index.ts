export type { DataMigration, ReportProgress } from './data-migrations.ts';
export { DataMigrations, isMigrated } from './data-migrations.ts';
export { flowCopies, quotaCounters, renames, type Rename } from './renames.ts';
export * from './schema-migration.ts';
export { storageGeneration } from './storage-generation.ts';
