export { SourceBucket, type BucketObject, type BucketOptions } from './source-bucket.ts';
