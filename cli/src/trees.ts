import { MessageTrees } from '@parley/chat';
import { withOwner } from '@parley/platform/service';
import { owners } from './migrate-schema.ts';
import { operatorPlatform } from './operator-platform.ts';

/** Checks all message trees in chat's database and rebuilds those that don't match the parents. */
export async function mendTrees(uri: string): Promise<string[]> {
  const platform = await operatorPlatform(uri, 'chat');
  const { looked, mended } = await withOwner(platform, owners.chat, ({ get }) => get(MessageTrees).mend());
  return [`${looked} message trees checked, ${mended.length} rebuilt`, ...mended];
}
