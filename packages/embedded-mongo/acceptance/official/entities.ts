import { MongoClient, type ClientSession, type Collection, type Db, type ReadPreferenceMode } from 'mongodb';
import type { Doc } from './spec-types.ts';

export type AnyCollection = Collection<Record<string, unknown> & { _id: unknown }>;

/** What the names in a test file stand for. */
export class Entities {
  private readonly uri: string;
  readonly clients = new Map<string, MongoClient>();
  readonly databases = new Map<string, Db>();
  readonly collections = new Map<string, AnyCollection>();
  readonly sessions = new Map<string, ClientSession>();
  /** Session ids of the commands that each client sent. */
  readonly lsids: string[] = [];

  constructor(uri: string) {
    this.uri = uri;
  }

  async create(description: Doc): Promise<void> {
    const [kind, settings] = Object.entries(description)[0] as [string, Doc];
    const id = String(settings.id);
    if (kind === 'client') await this.createClient(id, (settings.uriOptions ?? {}) as Doc);
    else if (kind === 'database')
      this.databases.set(
        id,
        this.clients.get(String(settings.client))!.db(String(settings.databaseName), options(settings.databaseOptions)),
      );
    else if (kind === 'collection') {
      const database = this.databases.get(String(settings.database))!;
      this.collections.set(
        id,
        database.collection(String(settings.collectionName), options(settings.collectionOptions)),
      );
    } else if (kind === 'session')
      this.sessions.set(
        id,
        this.clients.get(String(settings.client))!.startSession(sessionOptions((settings.sessionOptions ?? {}) as Doc)),
      );
    else throw new Error(`the runner does not make a ${kind}`);
  }

  private async createClient(id: string, uriOptions: Doc): Promise<void> {
    const client = new MongoClient(this.uri, {
      maxPoolSize: 10,
      monitorCommands: true,
      serverSelectionTimeoutMS: 2000,
      ...clientOptions(uriOptions),
    });
    client.on('commandStarted', (event) => {
      const lsid = (event.command as { lsid?: { id: { toString(): string } } }).lsid;
      if (event.commandName !== 'endSessions') this.lsids.push(lsid ? lsid.id.toString() : '');
    });
    await client.connect();
    this.clients.set(id, client);
  }

  async close(): Promise<void> {
    for (const session of this.sessions.values()) await session.endSession().catch(() => {});
    for (const client of this.clients.values()) await client.close().catch(() => {});
  }
}

function clientOptions(given: Doc): Doc {
  const { w, readConcernLevel, readPreference, ...rest } = given;
  return {
    ...rest,
    ...(w === undefined ? {} : { writeConcern: { w } }),
    ...(readConcernLevel === undefined ? {} : { readConcern: { level: readConcernLevel } }),
    ...(readPreference === undefined ? {} : { readPreference: preference(readPreference) }),
  };
}

function preference(value: unknown): ReadPreferenceMode {
  const mode = String(typeof value === 'object' && value !== null && 'mode' in value ? value.mode : value);
  return (mode.charAt(0).toLowerCase() + mode.slice(1)) as ReadPreferenceMode;
}

/** Options of a database, collection or operation in the driver's spelling. */
export function options(given: unknown): Doc {
  const { readPreference, timeoutMS, ...rest } = (given ?? {}) as Doc;
  return {
    ...rest,
    ...(readPreference === undefined ? {} : { readPreference: preference(readPreference) }),
    ...(timeoutMS === undefined ? {} : { timeoutMS }),
  };
}

/** Options of a session. */
export function sessionOptions(given: Doc): Doc {
  const { defaultTransactionOptions, ...rest } = given;
  return {
    ...rest,
    ...(defaultTransactionOptions === undefined
      ? {}
      : { defaultTransactionOptions: options(defaultTransactionOptions) }),
  };
}
