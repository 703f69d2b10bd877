export * from './model-streams.ts';
