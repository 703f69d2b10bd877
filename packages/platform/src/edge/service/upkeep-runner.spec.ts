import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { OwnerBench, startTestStore, type TestStore } from '@parley/testing';
import { every } from '../../base/every/index.ts';

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());

/** Starts a service with one class that has upkeep, and records what happens. */
async function startBeside(upkeep?: boolean) {
  const happened: string[] = [];
  class Tidy {
    readonly upkeep = every('tidies', 3_600_000, (signal) => {
      happened.push('runs');
      return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });

    onApplicationShutdown(): void {
      happened.push('closes');
    }
  }
  class Tidying {}
  Module({ providers: [Tidy] })(Tidying);
  const service = await OwnerBench.start(store, 'org', {
    modules: [Tidying],
    providers: () => [],
    group: null,
    upkeep,
  });
  return { service, happened };
}

test('the upkeep of a provider runs while its service does, and has ended before anything closes', async () => {
  const { service, happened } = await startBeside();
  expect(happened).toEqual(['runs']);
  await service.close();
  expect(happened).toEqual(['runs', 'closes']);
});

test('the upkeep of a provider doesn’t run if other processes do it', async () => {
  const { service, happened } = await startBeside(false);
  await service.close();
  expect(happened).toEqual(['closes']);
});
