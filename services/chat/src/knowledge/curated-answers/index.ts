import {
  changeCuratedAnswer,
  createCuratedAnswer,
  deleteCuratedAnswer,
  getQuotedAnswer,
  listCuratedAnswers,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { CuratedAnswerFinder } from './curated-answer-finder.ts';
import { CuratedAnswersRepository } from './curated-answers.repository.ts';
import { CuratedAnswersService } from './curated-answers.service.ts';

export { curatedAnswerQuota } from './curated-answer-quota.ts';
export { CuratedAnswerFinder, type CuratedPassage } from './curated-answer-finder.ts';
export { CuratedAnswersService } from './curated-answers.service.ts';

/** What an organisation wants to be said where it is asked for it: found before any passage of its documents. */
export const curatedAnswersFeature = feature({
  routes: {
    list: listCuratedAnswers,
    create: createCuratedAnswer,
    change: changeCuratedAnswer,
    delete: deleteCuratedAnswer,
    quoted: getQuotedAnswer,
  },
  handlers: CuratedAnswersService,
  imports: [chatbotsFeature],
  providers: [CuratedAnswersRepository, CuratedAnswerFinder],
  exports: [CuratedAnswersService, CuratedAnswerFinder],
});
