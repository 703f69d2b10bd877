import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { every } from '@parley/platform/every';
import { Platform } from '@parley/platform/service';

const reloadMs = 1_000;
type Reload = () => Promise<unknown>;

/** Reloads each second what this process knows by heart and others may change; a process that is alone knows of all changes. */
@Injectable()
export class Reloads implements OnApplicationShutdown {
  private readonly all: Reload[] = [];
  private readonly reloading = every('reloads what other processes change', reloadMs, () => this.reloadAll());

  constructor(private readonly platform: Platform) {}

  /** Reloads once, then each second. Rejects only if the first time fails. */
  async add(reload: Reload): Promise<void> {
    await reload();
    this.all.push(reload);
    if (!this.platform.isAlone) this.reloading.start(this.platform.logger);
  }

  onApplicationShutdown(): Promise<void> {
    return this.reloading.stop();
  }

  /** One that fails keeps no other from its reload. */
  private async reloadAll(): Promise<void> {
    const ends = await Promise.allSettled(this.all.map((reload) => reload()));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}
