import { defineEvent, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { audience, type Audience } from '../../../audience.ts';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { connectionId } from '../../../ids.ts';
import { connectionState, sourceFailure, syncProgress, syncSchedule, type ConnectionSource } from './connections.ts';

/**
 * The setup of a connection, for the audit log. `address` is without its query, which can hold a secret; null for
 * uploads.
 */
const connectionSetup = z.object({
  name: z.string(),
  address: z.string().nullable(),
  schedule: syncSchedule,
  isPaused: z.boolean(),
});
type ConnectionSetup = z.infer<typeof connectionSetup>;

type Audited = { readonly source: ConnectionSource['kind']; readonly setup: ConnectionSetup | null | undefined };
function auditedState({ source, setup }: Audited, readers: Audience | null) {
  if (!readers) return null;
  const { text, code, flag } = auditValues;
  const isSynced = setup && source !== 'upload';
  return {
    ...(setup && { name: text(setup.name) }),
    source: code(source),
    ...(isSynced && { address: text(setup.address), schedule: code(setup.schedule), isPaused: flag(setup.isPaused) }),
    readers: auditValues.audience(readers),
  };
}

/**
 * A connection was created, changed or deleted. `before` and `after` say who can read it; `was` and `is` have its
 * setup, which processes of 0.3.0 leave out.
 */
export const connectionChanged = defineEvent('connection.changed.v1', 'chat', {
  data: z.object({
    orgId,
    connectionId,
    by: userId,
    change: z.enum(['created', 'changed', 'deleted']),
    name: z.string(),
    source: z.enum(['upload', 'web', 'bucket']),
    before: audience.nullable(),
    after: audience.nullable(),
    was: connectionSetup.nullish(),
    is: connectionSetup.nullish(),
  }),
  key: 'connectionId',
  live: { room: 'organisation', permission: 'data_connection:read', resources: ['connections', 'documents', 'models'] },
  audit: ({ connectionId: id, by, change, name, source, before, after, was, is }) => ({
    act: `connection.${change}`,
    by,
    target: { of: 'connection', id, name },
    changes: changesBetween(auditedState({ source, setup: was }, before), auditedState({ source, setup: is }, after)),
  }),
  outside: ['connectionId', 'change', 'source'],
});

/** The progress of a sync, published once a second while it runs, and its end. */
export const connectionSynced = defineEvent('connection.synced.v1', 'chat', {
  data: z.object({
    orgId,
    connectionId,
    state: connectionState,
    failure: sourceFailure.nullable(),
    progress: syncProgress.nullable(),
  }),
  key: 'connectionId',
  live: { room: 'organisation', permission: 'data_connection:read', resources: ['connections'] },
  audit: 'Nobody acts.',
  outside: ['connectionId', 'state', 'failure'],
});
