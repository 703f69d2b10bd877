import { endReveal, getPersonUse, listMyReveals, listPeople, listPseudonyms, revealName } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { allOrganisationsFeature } from '../all-organisations/index.ts';
import { ActiveDaysRepository } from './active-days.repository.ts';
import { CountPeople } from './count-people.ts';
import { NamesService } from './names.service.ts';
import { PeopleConsumer } from './people.consumer.ts';
import { PeopleService } from './people.service.ts';
import { PseudonymKeys } from './pseudonym-keys.ts';
import { ShownNames } from './shown-names.ts';

/** What people used, under pseudonyms. */
export const peopleFeature = feature({
  routes: { list: listPeople, readOne: getPersonUse, pseudonyms: listPseudonyms },
  handlers: PeopleService,
  consumers: [PeopleConsumer],
  providers: [ActiveDaysRepository, CountPeople, PseudonymKeys, ShownNames],
  imports: [allOrganisationsFeature],
  exports: [ActiveDaysRepository, PseudonymKeys, ShownNames],
});

/** The names behind them, for a reason and a time. */
export const namesFeature = feature({
  routes: { reveal: revealName, end: endReveal, mine: listMyReveals },
  handlers: NamesService,
  imports: [peopleFeature],
});
