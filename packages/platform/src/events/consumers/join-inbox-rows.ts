import type { DataMigration } from '../../rows/schema/index.ts';
import type { InboxRow } from './consumer.collection.ts';
import { ofEvents } from './inbox.ts';

const rowsAtOnce = 500;

/**
 * Joins the rows of 0.3.0, one per event and consumer, to one row per event, so that the inbox needn't read them any
 * more. A new row is written before its earlier ones are deleted, so a batch can run twice.
 */
export const joinInboxRows: DataMigration = {
  name: 'join-inbox-rows',
  title: 'joining the rows of the inbox',
  walks: 'event_inbox',
  async batch({ connection }, cursor) {
    const inbox = connection.collection<InboxRow>('event_inbox');
    const next = (_id: { readonly $gt: string; readonly $lt?: string }) =>
      inbox.find({ _id }, { sort: { _id: 1 }, limit: rowsAtOnce }).toArray();
    const after = cursor ?? '';
    const before = after < ofEvents.first ? await next({ $gt: after, $lt: ofEvents.first }) : [];
    const rows = before.length > 0 ? before : await next({ $gt: after > ofEvents.end ? after : ofEvents.end });
    const last = rows.at(-1);
    if (!last) return null;
    const joined = rows.map(({ _id, at }) => {
      const [consumer = '', eventId = ''] = _id.split('|');
      const update = { $addToSet: { consumers: consumer }, ...(at && { $max: { at } }) };
      return { updateOne: { filter: { _id: eventId }, update, upsert: true } };
    });
    await inbox.bulkWrite(joined);
    await inbox.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    return last._id;
  },
};
