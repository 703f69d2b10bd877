export * from './model-streams.ts';
export * from './embedding-server.ts';
