import { answerMutants } from './answers.ts';
import { apiKeyMutants } from './api-keys.ts';
import { authMutants } from './auth.ts';
import { billingMutants } from './billing.ts';
import { budgetMutants } from './budgets.ts';
import { chatbotMutants } from './chatbots.ts';
import { completionMutants } from './completions.ts';
import { connectionMutants } from './connections.ts';
import { consumerMutants } from './consumers.ts';
import { deliveryMutants } from './delivery.ts';
import { documentMutants } from './documents.ts';
import { doorMutants } from './door.ts';
import { embeddingMutants } from './embeddings.ts';
import { erasureMutants } from './erasure.ts';
import { errorMutants } from './errors.ts';
import { fairShareMutants } from './fair-shares.ts';
import { feedbackMutants } from './feedback.ts';
import { limitMutants } from './limits.ts';
import { mailMutants } from './mails.ts';
import { eventStreamMutants } from './event-streams.ts';
import { monitoringMutants } from './monitoring.ts';
import type { Mutant } from './mutant.ts';
import { membersMutants } from './members.ts';
import { otherModelMutants } from './other-models.ts';
import { ownershipMutants } from './ownership.ts';
import { peopleMutants } from './people.ts';
import { pictureMutants } from './pictures.ts';
import { presenceMutants } from './presence.ts';
import { retrievalMutants } from './retrieval.ts';
import { revocationMutants } from './revocation.ts';
import { slowStoreMutants } from './slow-store.ts';
import { storeMutants } from './store.ts';
import { storeHoldsMutants } from './store-holds.ts';
import { tenancyMutants } from './tenancy.ts';
import { wiringMutants } from './wiring.ts';

export const allMutants: readonly Mutant[] = [
  ...authMutants,
  ...storeHoldsMutants,
  ...tenancyMutants,
  ...ownershipMutants,
  ...erasureMutants,
  ...deliveryMutants,
  ...billingMutants,
  ...budgetMutants,
  ...connectionMutants,
  ...consumerMutants,
  ...answerMutants,
  ...fairShareMutants,
  ...otherModelMutants,
  ...chatbotMutants,
  ...completionMutants,
  ...feedbackMutants,
  ...revocationMutants,
  ...presenceMutants,
  ...monitoringMutants,
  ...eventStreamMutants,
  ...peopleMutants,
  ...retrievalMutants,
  ...embeddingMutants,
  ...documentMutants,
  ...slowStoreMutants,
  ...storeMutants,
  ...doorMutants,
  ...errorMutants,
  ...limitMutants,
  ...wiringMutants,
  ...mailMutants,
  ...membersMutants,
  ...apiKeyMutants,
  ...pictureMutants,
];
