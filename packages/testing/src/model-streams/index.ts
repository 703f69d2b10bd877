export * from './model-streams.ts';
export * from './embedding-server.ts';
export * from './title-requests.ts';
