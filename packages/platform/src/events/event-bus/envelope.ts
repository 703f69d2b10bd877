import { eventEnvelope, type EventEnvelope } from '@parley/protocol';

export type ReadEnvelope = { readonly event: EventEnvelope } | { readonly cause: string };

/** Returns the envelope in a record's text, or the error in it. Never throws. */
export function readEnvelope(raw: string): ReadEnvelope {
  try {
    const parsed = eventEnvelope.safeParse(JSON.parse(raw));
    if (parsed.success) return { event: parsed.data as EventEnvelope };
    return { cause: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  } catch (error) {
    return { cause: error instanceof Error ? error.message : String(error) };
  }
}
