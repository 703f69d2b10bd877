export * from './s3-blobs.ts';
