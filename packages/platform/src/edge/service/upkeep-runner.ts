import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { Upkeep } from '../../base/every/index.ts';
import type { Logger } from '../../base/logging/index.ts';

/** Starts the `upkeep` of providers when the service has started, and stops it before anything closes. */
export class UpkeepRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const upkeep of this.all()) upkeep.start(this.logger);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.all().map((upkeep) => upkeep.stop()));
  }

  private all(): Upkeep[] {
    return [...this.modules.values()]
      .flatMap((module) => [...module.providers.values()])
      .map(({ instance }) => (instance as { readonly upkeep?: unknown } | null | undefined)?.upkeep)
      .filter((upkeep) => upkeep instanceof Upkeep);
  }
}
