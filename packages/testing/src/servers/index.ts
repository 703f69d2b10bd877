export * from './free-port.ts';
export * from './guarded-process.ts';
export * from './kafka.ts';
export * from './redis.ts';
export * from './s3.ts';
export * from './secantus.ts';
export * from './test-server.ts';
export * from './smtp.ts';
