import type { AuditRule } from './events/audit.ts';
import type { topics } from './events/topics.ts';
import type { PersonCost, VisitorCost } from './limits/rates.ts';
import type { Resource } from './names.ts';
import type { Service } from './peers.ts';
import type { Permission } from './permissions.ts';
import type { problemCatalogue } from './problems.ts';
import type { SessionEnd } from './session-end.ts';

/** Declares Parley's own types, by which `@parley/protocol` checks routes, events and problems. */
declare module '@parley/protocol' {
  interface Vocabulary {
    readonly service: Service;
    readonly permission: Permission;
    readonly personCost: PersonCost;
    readonly visitorCost: VisitorCost;
    readonly errorFormat: 'openai';
    readonly publisher: keyof typeof topics;
    readonly resource: Resource;
    readonly problem: keyof typeof problemCatalogue;
  }
  interface EventVocabulary<Data> {
    /** `conversation`: the event reaches the conversation's members as a sequenced message of its own. */
    readonly liveRule: [Data] extends [{ conversationId: unknown; memberIds: unknown }] ? 'conversation' : never;
    /** A function that returns the audit entry for an event, or a text that says why the event has none. */
    readonly audit: AuditRule<Data> | string;
  }
  interface ProblemExtras {
    /** Says how the session ended, where that is known (`platform.unauthenticated`). */
    sessionEnd?: SessionEnd;
  }
  interface ProblemDetails {
    /** Quotes the model server's error message, shortened and without secrets (`chat.context-too-long`). */
    providerMessage?: string;
  }
}
