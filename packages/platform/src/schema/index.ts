export type { DataMigration } from './data-migrations.ts';
export { DataMigrations, isMigrated } from './data-migrations.ts';
export * from './schema-migration.ts';
