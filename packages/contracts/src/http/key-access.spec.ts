import { expect, test } from '@jest/globals';
import { keyPermissions, permissions } from '../permissions.ts';
import { isOpenToKeys } from './key-access.ts';
import { routeEntries } from './routes.ts';

/** Written out, so that a route which opens to keys is seen: what is not here is closed to them. */
const open = `
  acceptProviderOffer answerAgain answerFeedback askForBudget askTrial changeBudget changeChatbotDraft
  changeConnection changeCuratedAnswer changeFeedback changeManyRoles changeManyStatuses changeMemberGroups
  changeMemberRole changeMemberStatus changeTest changeWebhook checkAccess checkAddresses countFeedback createBudget
  createChatbot createCompletion createConnection createCuratedAnswer createGroup createInvitationLink createProvider createRole
  createTest createWebhook decideRemoval deleteBudget deleteChatbot deleteConnection deleteConversation
  deleteCuratedAnswer deleteDocument deleteGroup deleteProvider deleteRole deleteTest deleteWebhook discardMessage downloadDocument
  dismissBudgetRequest endManyAccesses eraseConversation eraseDocument followEvents getChatbotDraft getCompletionModel getConversation getEmbedding getFeedback getInvoice getMetrics
  getMyUsage getOrder getPassage getQuotedAnswer getSeatOffer getSeats getSpend getTestRun getTrial
  invitePeople listActiveUsers listAssignees listAudit listBudgets listChatbotDrafts listChatbotNames listChatbotVersions listChatbots
  listCompletionModels listConnectionUses listConnections listConversations listCuratedAnswers listDeletedConversations listDeletedDocuments listDeliveries listDocuments listFeedback
  listFeedbackReaders listGroupSpend listGroups listInvitations listInvoices listLedgerEntries listMembers
  listMessages listModels listMyAnswers listMyBudgets listMyFeedback listMyReveals listOrders listPeople listPrices
  listProviderOffers listProviders listRoles listRunningAnswers listSpenders listTestRuns listTests listTrials
  listWebhooks openDocument placeOrder previewConnection publishChatbot rateAnswer readDocumentText readSharedMessages redeliver removeMember
  renameConversation renameGroup replaceDocument replaceInvitationLink resendInvitation restoreConversation restoreDocument
  retryConnection retryDocument revokeInvitation searchMessages sendMessage setTestGate startTestRun stopAnyGeneration
  stopGeneration stopTestRun stopTrial syncConnection testProvider testSearch testWebhook updateOrganisation
  updateProvider updateRole uploadDocument withdrawFeedback withdrawOrder
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
