export type { DataMigration } from './data-migrations.ts';
export { DataMigrations } from './data-migrations.ts';
export * from './schema-migration.ts';
