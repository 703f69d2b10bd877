export * from './schema-migration.ts';
