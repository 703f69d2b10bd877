export type { DataMigration } from './data-migrations.ts';
export { DataMigrations, migratedAt } from './data-migrations.ts';
export * from './schema-migration.ts';
