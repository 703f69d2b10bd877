import { z } from 'zod';

const hostAndPort = z.string().regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i, 'write host:port');

/** What chat reads from its surroundings. */
export const chatConfig = z.object({
  /** Non-public addresses that may be called, `host:port` separated by commas. */
  PARLEY_OUTBOUND_ALLOW: z.string().default('').transform((list) => list.split(',').map((entry) => entry.trim()).filter((entry) => entry !== '')).pipe(z.array(hostAndPort)),
  /** Offered to the platform admin as a provider. */
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
});

/** Settings of a running chat service. */
export abstract class ChatSettings {
  abstract readonly outboundAllow: readonly string[];
  abstract readonly openAi: { readonly apiKey: string; readonly baseUrl: string } | null;
  /** Answers that one worker writes at the same time. */
  abstract readonly workerSlots: number;
  /** Worker roles in this process; 0 makes it an API only. */
  abstract readonly workers: number;
  /** A provider that says nothing for this long has stalled. */
  abstract readonly stallMs: number;
  /** Ports of this machine where model servers are looked for. */
  abstract readonly modelServerPorts: { readonly ollama: number; readonly 'lm-studio': number; readonly vllm: number; readonly 'llama-cpp': number };
}
