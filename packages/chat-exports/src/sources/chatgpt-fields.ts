import { z } from 'zod';
import { flag, id, listOf, objectOf, text, texts, time, unread } from '../json-fields.ts';

const attachment = z.object({ id: text, name: text, mime_type: text });
const reference = z.object({
  matched_text: text,
  url: text,
  title: text,
  items: listOf(z.object({ title: text, url: text })),
});
const message = objectOf({
  id,
  author: objectOf({ role: text, name: text }),
  create_time: time,
  recipient: text,
  channel: text,
  content: objectOf({
    content_type: text,
    parts: listOf(z.unknown()),
    text,
    language: text,
    user_instructions: text,
    user_profile: text,
    model_set_context: text,
  }),
  metadata: objectOf({
    is_visually_hidden_from_conversation: flag,
    is_user_system_message: flag,
    model_slug: text,
    attachments: listOf(attachment),
    content_references: listOf(reference),
    citations: listOf(z.object({ metadata: objectOf({ title: text, url: text }) })),
    aggregate_result: objectOf({ messages: listOf(z.object({ message_type: text, image_url: text })) }),
  }),
});
export type ChatGptMessage = NonNullable<z.infer<typeof message>>;

export const chatGptNode = z.object({ parent: id, children: texts, message });
/** A conversation of ChatGPT, of any year. `mapping` holds its nodes by their ids. */
export const chatGptConversation = z.object({
  id,
  conversation_id: id,
  title: text,
  create_time: time,
  update_time: time,
  mapping: unread,
  current_node: id,
  default_model_slug: text,
  gizmo_id: text,
  conversation_template_id: text,
  is_archived: flag,
  is_starred: flag,
  pinned_time: time,
});

/** A part of a message that is an object. */
export const chatGptPart = z.object({
  content_type: text,
  asset_pointer: text,
  text,
  audio_asset_pointer: objectOf({ asset_pointer: text }),
});

const bareId = /file[-_][A-Za-z0-9]+/;
/** `file-service://file-abc`, `sediment://file_abc` and `file-abc-name.png` have the id `file-abc` or `file_abc`. */
export const fileIdIn = (pointer: string): string | null => bareId.exec(pointer.split('://').at(-1) ?? '')?.[0] ?? null;
