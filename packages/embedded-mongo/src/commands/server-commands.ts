import { fail } from '../errors.ts';
import { getField, isObject, types, type Value } from '../bson/value.ts';
import { valueOf } from '../bson/write.ts';
import { maxDocumentBytes } from '../bson/document.ts';
import { maxMessageBytes } from '../wire/message.ts';
import type { Command, CommandContext, CommandRun, Reply } from '../engine/context.ts';

/** Name of the one-node replica set that clients see: it makes them use sessions, transactions and retryable writes. */
export const replicaSetName = 'parley';
/** What MongoDB 7.0 speaks; from 25 on clients would use the `bulkWrite` command. */
const maxWireVersion = 21;
const address = 'embedded.sock:27017';

function simple(reply: (context: CommandContext) => Reply, fields: readonly string[] = []): Command {
  return {
    fields,
    // oxlint-disable-next-line require-yield -- every command is a generator
    *run(context): CommandRun {
      return reply(context);
    },
  };
}

function helloReply(isLegacy: boolean): Reply {
  return {
    ...(isLegacy ? { ismaster: true } : { isWritablePrimary: true }),
    helloOk: true,
    setName: replicaSetName,
    setVersion: 1,
    secondary: false,
    hosts: [address],
    me: address,
    primary: address,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: 1000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion,
    readOnly: false,
  };
}

const helloFields = [
  'helloOk',
  'client',
  'compression',
  'topologyVersion',
  'maxAwaitTimeMS',
  'saslSupportedMechs',
  'speculativeAuthenticate',
  'loadBalanced',
  'backpressure',
];
const hello = simple(() => helloReply(false), helloFields);
const legacyHello = simple(() => helloReply(true), helloFields);

const buildInfo = simple(() => ({
  version: '7.0.0',
  versionArray: [7, 0, 0, 0],
  gitVersion: 'parley-embedded',
  modules: ['parley-embedded'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: maxDocumentBytes,
  storageEngines: ['sqlite'],
}));

/** Id of a session in `{id: UUID}`. */
export function sessionIdOf(lsid: Value): Buffer {
  const id = isObject(lsid) ? getField(lsid, 'id') : undefined;
  if (id === undefined || id.type !== types.binData || id.end - id.start !== 21)
    return fail('BadValue', 'lsid.id has to be a UUID');
  return id.bytes.subarray(id.start + 5, id.end);
}

function forgetListed(context: CommandContext): Reply {
  for (const lsid of context.args.list(context.args.name) ?? []) context.engine.sessions.forget(sessionIdOf(lsid));
  return {};
}

const killAllSessions = simple((context) => {
  context.engine.sessions.forgetAll();
  return {};
});

const connectionStatus = simple(
  () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
  ['showPrivileges'],
);

/** Ours, not MongoDB's: how long commands have held the store's thread; `reset` starts over. */
const storeHolds = simple(
  ({ engine, args }) => {
    const { longest, longHolds } = engine.holds.read({ reset: args.boolean('reset', false) });
    return { longest: { ...longest }, longHolds };
  },
  ['reset'],
);

const commitTransaction: Command = {
  fields: ['recoveryToken'],
  isWrite: true,
  isAllowedInTransaction: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const { session, txnNumber, engine } = context;
    if (!session || txnNumber === undefined)
      return fail('InvalidOptions', 'commitTransaction must be run within a transaction');
    engine.sessions.commit(session, committedReply);
    return {};
  },
};

const committedReply = valueOf({ ok: valueOf(1) }).bytes.subarray(6, -1);

const abortTransaction: Command = {
  fields: ['recoveryToken'],
  isAllowedInTransaction: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    if (!context.session) return fail('InvalidOptions', 'abortTransaction must be run within a transaction');
    context.engine.sessions.abort(context.session);
    return {};
  },
};

const configureFailPoint: Command = {
  fields: ['mode', 'data'],
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    throw fail('CommandNotFound', `no such command: '${context.args.name}'`);
  },
};

export const serverCommands: Record<string, Command> = {
  hello,
  isMaster: legacyHello,
  ismaster: legacyHello,
  ping: simple(() => ({})),
  parleyStoreHolds: storeHolds,
  buildInfo,
  buildinfo: buildInfo,
  connectionStatus,
  endSessions: simple(forgetListed),
  killSessions: simple(forgetListed),
  refreshSessions: simple(() => ({})),
  killAllSessions,
  commitTransaction,
  abortTransaction,
  configureFailPoint,
};
