import { AskForAccess } from "~/domains/access/access-requests/ask-for-access";
import { ChangedBy, OnADate, RecordHistory } from "~/domains/audit/log/parts";
import { termsHelp } from "~/domains/organization/terms/terms-help";
import { giveFrameParts } from "~/frame/parts";

giveFrameParts({ AskForAccess, ChangedBy, OnADate, RecordHistory, refusalHelp: termsHelp });
