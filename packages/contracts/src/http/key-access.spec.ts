import { expect, test } from '@jest/globals';
import { keyPermissions, permissions } from '../permissions.ts';
import { isOpenToKeys } from './key-access.ts';
import { routeEntries } from './routes.ts';

/** Written out, so that a route which opens to keys is seen: what is not here is closed to them. */
const open = `
  acceptProviderOffer answerAgain askForBudget askTrial changeBudget changeChatbotDraft changeConnection
  changeManyRoles changeManyStatuses changeMemberGroups changeMemberRole changeMemberStatus changeWebhook checkAccess
  checkAddresses createBudget createChatbot createConnection createGroup createInvitationLink createProvider
  createRole createWebhook decideRemoval deleteBudget deleteChatbot deleteConnection deleteConversation deleteDocument
  deleteGroup deleteProvider deleteRole deleteWebhook discardMessage dismissBudgetRequest endManyAccesses followEvents
  getChatbotDraft getConversation getInvoice getMetrics getMyUsage getOrder getPassage getPersonUse getSeatOffer
  getSeats getSpend getTrial invitePeople listActiveUsers listAudit listBudgets listChatbotDrafts listChatbotVersions
  listChatbots listConnectionUses listConnections listConversations listDeliveries listDocuments listGroupSpend
  listGroups listInvitations listInvoices listLedgerEntries listMembers listMessages listModels listMyAnswers
  listMyBudgets listMyReveals listOrders listPeople listPrices listProviderOffers listProviders listRoles
  listRunningAnswers listSpenders listTrials listWebhooks placeOrder previewConnection publishChatbot redeliver
  removeMember renameConversation renameGroup replaceInvitationLink resendInvitation restoreConversation
  restoreDocument retryConnection retryDocument revokeInvitation searchMessages sendMessage stopAnyGeneration
  stopGeneration stopTrial syncConnection testProvider testSearch testWebhook updateOrganisation updateProvider
  updateRole uploadDocument withdrawOrder
`
  .trim()
  .split(/\s+/);

test('an API key reaches these routes, and no other', () => {
  const found = routeEntries.filter(([, route]) => isOpenToKeys(route)).map(([name]) => name);
  expect(found.toSorted()).toEqual(open.toSorted());
});

test('nothing of a person, of the installation, of visitors or of services is open to keys', () => {
  for (const [, route] of routeEntries) if (route.scope !== 'organisation') expect(isOpenToKeys(route)).toBe(false);
});

test('no key makes keys, ends them, gives the organisation away, or is told names', () => {
  expect(permissions.filter((permission) => !keyPermissions.includes(permission)).toSorted()).toEqual([
    'apikey:manage_org',
    'apikey:manage_own',
    'org:transfer',
    'usage:read_person',
  ]);
});
