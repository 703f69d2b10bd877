import { processConfig, publicUrl } from '@parley/platform/process-config';
import { z } from 'zod';
import { rateSetting } from './rate-setting.ts';

const asList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Of what may not be valid yet. */
const startsWith = (url: unknown, protocol: string): boolean =>
  typeof url === 'string' && URL.canParse(url) && new URL(url).protocol === protocol;

/** What a process of the BFF reads. It keeps nothing durable, so it needs no MongoDB. */
export const bffProcessConfig = z
  .object({
    ...processConfig.omit({ PARLEY_MONGO_URL: true }).shape,
    PARLEY_PUBLIC_URL: publicUrl,
    PARLEY_TRUSTED_PROXY: z
      .string()
      .default('')
      .transform(asList)
      .describe('Addresses or networks of the proxies in front, separated by commas: their forwarding headers count.'),
    PARLEY_RATE_LIMITS: rateSetting,
    PARLEY_INSECURE_HTTP: z
      .stringbool()
      .default(false)
      .describe('Allows a public address without https: passwords travel readable.'),
  })
  // Looked at whatever else is wrong, so that all faults are named at once.
  .refine(
    ({ PARLEY_PUBLIC_URL: url, PARLEY_TRUSTED_PROXY: proxies }) => !startsWith(url, 'https:') || proxies?.length !== 0,
    {
      path: ['PARLEY_TRUSTED_PROXY'],
      message: 'TLS ends in front of this process: name who may say for whom it forwards',
      when: () => true,
    },
  )
  .refine(
    ({ PARLEY_PUBLIC_URL: url, PARLEY_INSECURE_HTTP: isRiskTaken }) =>
      !startsWith(url, 'http:') || isRiskTaken || new URL(url).hostname === 'localhost',
    {
      path: ['PARLEY_PUBLIC_URL'],
      message: 'use https, or accept the risk with PARLEY_INSECURE_HTTP=true',
      when: () => true,
    },
  );
