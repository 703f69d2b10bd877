import type { RouteName } from '@parley/contracts';
import { expect } from '@jest/globals';
import type { ParleyClient } from '@parley/testing/client';
import { outsideRoutes } from '../matrix/all-rows.spec-setup.ts';
import type { Scene } from '../matrix/scene.spec-setup.ts';

/**
 * Something that a person does, in two steps: makes what it takes, and returns the deed of which screens are told. The
 * member has a tab open and has asked nothing so far.
 */
export type Act = {
  readonly does: string;
  prepare(scene: Scene, member: ParleyClient): Promise<() => Promise<unknown>>;
};

/** What the tenant matrix does to a route, by the owner of the organisation. */
export const row = (name: RouteName): Act => ({
  does: name,
  prepare: async (scene) => {
    const entry = outsideRoutes.find(([each]) => each === name);
    if (!entry) throw new Error(`${name} is no route with a row.`);
    const [, route, { request }] = entry;
    const asked = await request(scene.world);
    return async () => {
      const { status, text } = await scene.call(scene.world.owner, route, asked);
      expect([status < 400, text.slice(0, status < 400 ? 0 : 300)]).toEqual([true, '']);
    };
  },
});

export const rows = (...names: readonly RouteName[]): Act[] => names.map(row);
