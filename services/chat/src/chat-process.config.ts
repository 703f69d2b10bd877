import { FolderBlobs, type Blobs } from '@parley/platform/blobs';
import { processConfig, sealingKey } from '@parley/platform/process-config';
import { z } from 'zod';
import { chatConfig } from './chat.config.ts';

const s3Config = z.object({
  PARLEY_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).describe('S3-compatible storage of uploaded files.'),
  PARLEY_S3_REGION: z.string().describe('Its region; `us-east-1` where it has none.'),
  PARLEY_S3_BUCKET: z.string().describe('Its bucket, which must exist.'),
  PARLEY_S3_ACCESS_KEY_ID: z.string().describe('Who we are there.'),
  PARLEY_S3_SECRET_ACCESS_KEY: z.string().describe('Its password, secret.'),
});

type S3Settings = Partial<z.infer<typeof s3Config>>;
const s3Names = Object.keys(s3Config.shape) as (keyof S3Settings)[];
const s3Given = (config: S3Settings): (keyof S3Settings)[] => s3Names.filter((name) => config[name] !== undefined);

/** Where uploaded files are kept. */
export const blobsConfig = z.object({
  PARLEY_BLOBS_FOLDER: z
    .string()
    .optional()
    .describe('Folder of uploaded files instead of S3: one volume that all processes of chat share.'),
  ...s3Config.partial().shape,
});
type BlobsSettings = z.infer<typeof blobsConfig>;

/** The same settings, which must say one place of uploads. Looked at whatever else is wrong, so that all faults are named at once. */
export const withOnePlaceOfBlobs = <Schema extends z.ZodType<BlobsSettings>>(schema: Schema): Schema =>
  schema
    .refine((config) => s3Given(config).length === 0 || config.PARLEY_BLOBS_FOLDER === undefined, {
      path: ['PARLEY_BLOBS_FOLDER'],
      message: 'give a folder or S3, not both',
      when: () => true,
    })
    .refine((config) => s3Given(config).length > 0 || config.PARLEY_BLOBS_FOLDER !== undefined, {
      path: ['PARLEY_S3_ENDPOINT'],
      message: 'say where uploaded files are kept: PARLEY_S3_…, or PARLEY_BLOBS_FOLDER',
      when: () => true,
    })
    .refine((config) => [0, s3Names.length].includes(s3Given(config).length), {
      path: ['PARLEY_S3_ENDPOINT'],
      message: `give all of ${s3Names.join(', ')} or none`,
      when: () => true,
    });

/** What a process of chat reads; it is one deployable with two roles. */
export const chatProcessConfig = withOnePlaceOfBlobs(
  z.object({
    ...processConfig.shape,
    ...chatConfig.shape,
    PARLEY_ROLE: z
      .enum(['api', 'worker'])
      .describe('`api` answers requests, `worker` writes answers, reads documents and syncs data connections.'),
    PARLEY_SEALING_KEY: sealingKey,
    ...blobsConfig.shape,
  }),
);

/** Where the settings say that uploaded files are kept. */
export async function openBlobs(config: BlobsSettings): Promise<Blobs> {
  if (config.PARLEY_BLOBS_FOLDER !== undefined) return FolderBlobs.open(config.PARLEY_BLOBS_FOLDER);
  const s3 = s3Config.parse(config);
  // Its client is large: only where it is used.
  const { S3Blobs } = await import('@parley/platform/blobs/s3');
  return S3Blobs.open({
    endpoint: s3.PARLEY_S3_ENDPOINT,
    region: s3.PARLEY_S3_REGION,
    bucket: s3.PARLEY_S3_BUCKET,
    accessKeyId: s3.PARLEY_S3_ACCESS_KEY_ID,
    secretAccessKey: s3.PARLEY_S3_SECRET_ACCESS_KEY,
  });
}
