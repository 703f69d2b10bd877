import { Injectable } from '@nestjs/common';
import {
  findPriced,
  titlesConfigured,
  type getTitleSetting,
  type setTitleSetting,
  type TitleSetting,
} from '@parley/contracts';
import { isDuplicateKey, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ModelsService } from '../../assistants/models/index.ts';
import { titleSettingRows } from './title-setting.collection.ts';

/** The most models whose prices are requested from billing: more aren't worth it for a title. */
const mostModels = 5_000;

/**
 * Decides whether models write titles: as the organisation chose, otherwise only if titles cost nothing or their models
 * have prices.
 */
@Injectable()
export class TitleSettingsService {
  private readonly rows: Rows<typeof titleSettingRows>;

  constructor(
    mongo: Mongo,
    private readonly models: ModelsService,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {
    this.rows = mongo.rows(titleSettingRows);
  }

  read({ scope }: InputOf<typeof getTitleSetting>): Promise<ResponseOf<typeof getTitleSetting>> {
    return this.of(scope);
  }

  async set({ scope, principal, body }: InputOf<typeof setTitleSetting>): Promise<TitleSetting> {
    const isSet = await this.work
      .run(principal, (tx) => this.store(scope, body, tx))
      .catch((error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      });
    const current = await this.of(scope);
    if (!isSet) throw new Problem('platform.conflict', { current });
    return current;
  }

  /** Returns the current setting. */
  async of(scope: OrganisationScope): Promise<TitleSetting> {
    const chosen = await this.rows.recall(scope, 'setting', (rows) => rows.findById(scope.orgId));
    if (chosen) return { isOn: chosen.isOn, isChosen: true, version: chosen.version };
    return { isOn: await this.isOnByItself(scope), isChosen: false, version: 0 };
  }

  /** Returns false if someone else stored a choice first. */
  private async store(
    scope: OrganisationScope,
    { isOn, version }: InputOf<typeof setTitleSetting>['body'],
    tx: Transaction,
  ): Promise<boolean> {
    const rows = this.rows.within(scope, tx);
    const _id = scope.orgId;
    if (version === 0) await rows.insert({ _id, isOn, version: 1 });
    else if (!(await rows.update({ _id, version }, { $set: { isOn }, $inc: { version: 1 } }))) return false;
    tx.record(titlesConfigured, { orgId: _id, isOn });
    return true;
  }

  /**
   * Returns the setting that applies without a choice. While billing is unavailable, treats all models as having no
   * price.
   */
  private async isOnByItself(scope: OrganisationScope): Promise<boolean> {
    const upstreams = await this.models.upstreams(scope);
    if (upstreams.length === 0 || upstreams.some(({ isLocal }) => isLocal)) return upstreams.length > 0;
    const asked = upstreams.slice(0, mostModels).map(({ host, model }) => ({ host, model }));
    const { isPriced } = await this.platform.peers.call(
      findPriced,
      { body: { upstreams: asked } },
      { deadlineMs: 2_000, failMode: { otherwise: { isPriced: [] as boolean[] } } },
    );
    return isPriced.includes(true);
  }
}
