import { processConfig, serviceUrl } from '@parley/platform/process-config';
import { z } from 'zod';

const asList = (list: string): string[] => list.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '');

/** What a process of the BFF reads. It keeps nothing durable, so it needs no MongoDB. */
export const bffProcessConfig = z
  .object({
    ...processConfig.omit({ PARLEY_MONGO_URL: true }).shape,
    PARLEY_CHAT_URL: serviceUrl.describe('Where chat-api listens.'),
    PARLEY_BILLING_URL: serviceUrl.describe('Where billing listens.'),
    PARLEY_MONITORING_URL: serviceUrl.describe('Where monitoring listens.'),
    PARLEY_PUBLIC_URL: z.url({ protocol: /^https?$/ }).describe('Where people reach it, as they type it.'),
    PARLEY_TRUSTED_PROXY: z.string().default('').transform(asList).describe('Addresses or networks of the proxies in front, separated by commas: their forwarding headers count.'),
    PARLEY_INSECURE_HTTP: z.stringbool().default(false).describe('Allows a public address without https: passwords travel readable.'),
  })
  .superRefine(({ PARLEY_PUBLIC_URL, PARLEY_TRUSTED_PROXY, PARLEY_INSECURE_HTTP }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { protocol, hostname } = new URL(PARLEY_PUBLIC_URL);
    if (protocol === 'https:' && PARLEY_TRUSTED_PROXY.length === 0) refuse('PARLEY_TRUSTED_PROXY', 'TLS ends in front of this process: name who may say for whom it forwards');
    if (protocol === 'http:' && hostname !== 'localhost' && !PARLEY_INSECURE_HTTP) refuse('PARLEY_PUBLIC_URL', 'use https, or accept the risk with PARLEY_INSECURE_HTTP=true');
  });
