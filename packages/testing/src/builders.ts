import { organisationUpdated, providersChanged } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { createLogger, type Logger } from '@parley/platform/logging';
import type { EventEnvelope, OrgId } from '@parley/protocol';

/** An event of the organisation topic; `version` tells them apart in assertions. */
export function anOrganisationUpdate(orgId: OrgId, version: number): EventEnvelope {
  return { ...envelopeOf(orgId, version), type: organisationUpdated.type, data: { orgId, version } };
}

/** An event of the chat topic. */
export function aProvidersChange(orgId: OrgId, sequence: number): EventEnvelope {
  return { ...envelopeOf(orgId, sequence), type: providersChanged.type, data: { orgId } };
}

export const anOrgId = (): OrgId => newId('organisation');

/** Versions 1 to `count` of one organisation. */
export function updatesOf(orgId: OrgId, count: number): EventEnvelope[] {
  return Array.from({ length: count }, (_, index) => anOrganisationUpdate(orgId, index + 1));
}

export const versionOf = (event: EventEnvelope): number => (event.data as { version: number }).version;

export function silentLogger(): Logger {
  return createLogger({ name: 'test', level: 'silent' });
}

function envelopeOf(subject: OrgId, sequence: number): Omit<EventEnvelope, 'type' | 'data'> {
  const id = newId('event');
  return {
    specversion: '1.0',
    id,
    source: 'test',
    time: new Date().toISOString(),
    subject,
    tenantid: subject,
    sequence,
    actor: null,
    onbehalfof: null,
    correlationid: id,
    causationid: null,
    traceparent: null,
  };
}
