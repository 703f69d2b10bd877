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

/** What a process of chat reads; it is one deployable with two roles. */
export const chatProcessConfig = z
  .object({
    ...processConfig.shape,
    ...chatConfig.shape,
    PARLEY_ROLE: z.enum(['api', 'worker']).describe('`api` answers requests, `worker` writes answers and reads documents.'),
    PARLEY_SEALING_KEY: sealingKey,
    PARLEY_BLOBS_FOLDER: z.string().optional().describe('Folder of uploaded files instead of S3: one volume that all processes of chat share.'),
    ...s3Config.partial().shape,
  })
  .superRefine((config, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const given = Object.keys(s3Config.shape).filter((name) => config[name as keyof typeof config] !== undefined);
    if (config.PARLEY_BLOBS_FOLDER !== undefined && given.length > 0) refuse('PARLEY_BLOBS_FOLDER', 'give a folder or S3, not both');
    if (config.PARLEY_BLOBS_FOLDER !== undefined) return;
    if (given.length === 0) return refuse('PARLEY_S3_ENDPOINT', 'say where uploaded files are kept: PARLEY_S3_…, or PARLEY_BLOBS_FOLDER');
    for (const name of Object.keys(s3Config.shape)) if (!given.includes(name)) refuse(name, 'is missing beside the other PARLEY_S3_…');
  });

/** Where the settings say that uploaded files are kept. */
export async function openBlobs(config: z.infer<typeof chatProcessConfig>): Promise<Blobs> {
  if (config.PARLEY_BLOBS_FOLDER !== undefined) return FolderBlobs.open(config.PARLEY_BLOBS_FOLDER);
  const s3 = s3Config.parse(config);
  // Its client is large: only where it is used.
  const { S3Blobs } = await import('@parley/platform/blobs/s3');
  return S3Blobs.open({
    endpoint: s3.PARLEY_S3_ENDPOINT, region: s3.PARLEY_S3_REGION, bucket: s3.PARLEY_S3_BUCKET, accessKeyId: s3.PARLEY_S3_ACCESS_KEY_ID, secretAccessKey: s3.PARLEY_S3_SECRET_ACCESS_KEY,
  });
}
