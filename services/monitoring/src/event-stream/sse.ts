import { cursorOf, streamGap, type OutsideEvent } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';

export type Place = { readonly orgId: OrgId; readonly position: number };
type Gap = { readonly orgId: OrgId; readonly from: number; readonly to: number; readonly at: Date };

const comeBackAfterMs = 3_000;
const message = (event: Pick<OutsideEvent, 'type'>, cursor: string): string =>
  `id: ${cursor}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** How soon to come back after a cut; with it the answer's head leaves. */
export const greeting = (): string => `retry: ${comeBackAfterMs}\n\n`;

/** A message without data: nothing is told, and the reader knows where it is. */
export const heartbeat = ({ orgId, position }: Place): string => `id: ${cursorOf(orgId, position)}\n: still here\n\n`;

export const told = (event: OutsideEvent): string => message(event, cursorOf(event.tenantid, event.sequence));

/** What happened between the two places is not kept any more, or never was after the store was set back. */
export function gap({ orgId, from, to, at }: Gap): string {
  const data = { from: cursorOf(orgId, from), to: cursorOf(orgId, to) };
  const event = {
    specversion: '1.0',
    id: `gap-${data.from}-${to}`,
    source: 'monitoring',
    type: streamGap.type,
    time: at.toISOString(),
    subject: orgId,
    tenantid: orgId,
    sequence: to,
    datacontenttype: 'application/json',
    data,
  };
  return message(event, data.to);
}
