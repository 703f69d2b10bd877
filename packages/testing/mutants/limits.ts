import type { Mutant } from './mutant.ts';

const realtime = 'bff/src/realtime';

/** What keeps one person from taking the whole installation. */
export const limitMutants: readonly Mutant[] = [
  {
    breaks: 'there is an upgrade without a session',
    file: `${realtime}/sockets.ts`,
    find: 'const { me } = await this.session(request);',
    put: "const me = { id: 'user_any' as never };",
    spec: `${realtime}/sockets.spec`,
  },
  {
    breaks: 'one socket too many is open',
    file: `${realtime}/person-counts.ts`,
    find: 'if (count >= this.most)',
    put: 'if (count > this.most)',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'who is gone counts on',
    file: `${realtime}/sockets.ts`,
    find: "else request.socket.once('close', leave);",
    put: '',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'a reader that does not read is kept',
    file: `${realtime}/unread.ts`,
    find: 'if (unread > mostUnread) conn.request.socket.destroy();',
    put: '',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'what is read counts as unread',
    file: `${realtime}/unread.ts`,
    find: 'handedOver = waiting;\n    waiting = 0;',
    put: 'handedOver = waiting;',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'each ask is a replay of its own',
    file: `${realtime}/latest-asks.ts`,
    find: 'lane.next ??= lane.current.then(',
    put: 'lane.next = lane.current.then(',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'a made-up answer is followed',
    file: `${realtime}/stream-followers.ts`,
    find: 'return this.following.get(liveStreamOf(conversationId, generationId))?.answer;',
    put: 'return { conversationId, generationId, answerId: generationId as never };',
    spec: `${realtime}/socket-limits.spec`,
  },
  {
    breaks: 'a killed process holds the data until it is asked how it ended',
    file: 'packages/embedded-mongo/src/lock-file.ts',
    find: "state === 'Z' && threads <= 1 ? undefined : startedAt",
    put: 'state && threads ? startedAt : startedAt',
    spec: 'embedded-mongo/src/lock-file.spec',
  },
  {
    breaks: 'a full disk takes the reserve from those that it is for',
    file: 'packages/embedded-mongo/src/storage/reserve.ts',
    find: 'return this.isHeld || this.options.databases.includes(database);',
    put: 'return true;',
    spec: 'embedded-mongo/src/full-disk.spec',
  },
  {
    breaks: 'who has been refused for want of room is refused for ever',
    file: 'packages/embedded-mongo/src/storage/reserve.ts',
    find: 'if (!this.isHeld) this.isHeld = this.take();',
    put: 'if (!this.isHeld) return;',
    spec: 'embedded-mongo/src/full-disk.spec',
  },
  {
    breaks: 'a log that cannot be written ends the process',
    file: 'packages/platform/src/logging/logging.ts',
    find: ".on('error', () => {})",
    put: '',
    spec: 'platform/src/logging/logging.spec',
  },
];
