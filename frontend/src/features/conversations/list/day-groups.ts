import type { Conversation } from '@parley/contracts';

export type DayGroup = 'today' | 'week' | 'older';

/** Groups chats by day in the order of the list, without empty groups. */
export function groupByDay(
  items: readonly Conversation[],
  now = Date.now(),
): { group: DayGroup; items: Conversation[] }[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const weekAgo = new Date(midnight);
  weekAgo.setDate(weekAgo.getDate() - 6);
  const groups: Record<DayGroup, Conversation[]> = { today: [], week: [], older: [] };
  for (const item of items) {
    const at = Date.parse(item.lastActivityAt);
    groups[at >= midnight ? 'today' : at >= weekAgo.getTime() ? 'week' : 'older'].push(item);
  }
  return (['today', 'week', 'older'] as const)
    .filter((group) => groups[group].length > 0)
    .map((group) => ({ group, items: groups[group] }));
}
