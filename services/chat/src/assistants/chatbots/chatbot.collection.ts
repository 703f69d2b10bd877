import { chatbotContent, chatbotId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const by = z.strictObject({ userId, name: z.string() }).nullable();
const published = { note: z.string(), by, publishedAt: z.date().nullable(), content: chatbotContent };

/**
 * A chatbot: its draft, and what is published of it. That of the default one is there when somebody has first changed
 * it.
 */
export const chatbotRows = collection(
  'chatbots',
  {
    _id: chatbotId,
    orgId,
    isDefault: z.boolean(),
    revision: z.number().int(),
    draft: chatbotContent,
    isChanged: z.boolean(),
    editedAt: z.date().nullable(),
    editedBy: by,
    /** Null: nobody can use it yet. */
    published: z.strictObject({ version: z.number().int(), ...published }).nullable(),
    /** How many tests have to pass before the draft is published; absent: none. */
    gate: z.strictObject({ least: z.number().int() }).nullable().optional(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, _id: 1 }] },
);
export type ChatbotRow = RowOf<typeof chatbotRows>;

/** What was published, never changed: answers that are begun go on with the version that they began with. */
export const chatbotVersionRows = collection(
  'chatbot_versions',
  {
    /** `<chatbot>/<version>` */
    _id: z.string(),
    orgId,
    chatbotId,
    version: z.number().int(),
    ...published,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ chatbotId: 1, version: -1, _id: -1 }] },
);
export type ChatbotVersionRow = RowOf<typeof chatbotVersionRows>;
