import { getTitleSetting, setTitleSetting } from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { BudgetsModule } from '../../assistants/budgets/index.ts';
import { ModelsModule } from '../../assistants/models/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { FirstWords } from './first-words.ts';
import { TitleBudget } from './title-budget.ts';
import { TitleSettingsService } from './title-settings.service.ts';
import { TitleWriter } from './title-writer.ts';

export { FirstWords } from './first-words.ts';
export { TitleWriter } from './title-writer.ts';

/** Lets models write the titles of chats, and stores the setting for it. */
export const titlesFeature = feature({
  routes: { read: getTitleSetting, set: setTitleSetting },
  handlers: TitleSettingsService,
  imports: [FlowsModule, BudgetsModule, conversationsFeature, ModelsModule],
  providers: [FirstWords, TitleBudget, TitleWriter],
  exports: [FirstWords, TitleWriter],
});
