// Made from the JSON Schema of the service review; a test compares the two. Do not edit.

export type ServiceReview = {
  readonly payer: {
    /** The payer, by the id that the practice's payer connection has. */
    readonly id: string;
    /** The payer's name, for the reviewer. */
    readonly name?: string;
  };
  readonly procedures: readonly {
    /** CPT, HCPCS, ICD-10-PCS or NDC code. */
    readonly code: string;
    /** Code system, where the code does not say it (X12 235). */
    readonly qualifierCode?: string;
    /** What the code means, in your words. */
    readonly description?: string;
    /** First modifier. */
    readonly modifierCode1?: string;
    /** Second modifier. */
    readonly modifierCode2?: string;
    /** Third modifier. */
    readonly modifierCode3?: string;
    /** Fourth modifier. */
    readonly modifierCode4?: string;
    /** How many units. */
    readonly quantity?: number;
    /** Unit of the quantity (X12 673). Without one, pas-fhir submits none and service-review asks for it. */
    readonly quantityTypeCode?: string;
    /** Revenue code (NUBC). */
    readonly revenueCode?: string;
    /** First day. */
    readonly fromDate?: string;
    /** Last day. */
    readonly toDate?: string;
    /** Last code of a range that begins with `code`. */
    readonly codeEnd?: string;
    /** Price of a unit, in US dollars. */
    readonly unitPrice?: number;
    /** Which of `renderingProviders` provide this service; all of them if absent. */
    readonly renderingProviderNpis?: readonly string[];
    /** Your own number for this line. */
    readonly traceNumber?: string;
    /** Number of an earlier authorization. */
    readonly authorizationNumber?: string;
    /** Early and Periodic Screening, Diagnostic and Treatment (42 CFR 441 subpart B). */
    readonly epsdt?: boolean;
    /** Level of care in a nursing home (X12 1337). */
    readonly nursingHomeLevelOfCareCode?: string;
    /** Residential status in a nursing home (X12 1345). */
    readonly nursingHomeResidentialStatusCode?: string;
    /** Highest price of a unit, in US dollars. */
    readonly revenueUnitRateLimit?: number;
    /** Tooth, in the universal numbering of the ADA, where the payer asks for it. */
    readonly toothCode?: string;
    readonly order?: {
      /** What kind of order it is. */
      readonly type: "service" | "device" | "medication" | "nutrition";
      /** When it was ordered. */
      readonly date?: string;
      /** How a medication is taken, in words. */
      readonly directions?: string;
    };
  }[];
  /** What is asked for: services, an admission, specialty care (X12 1525). */
  readonly requestTypeCode?: "AR" | "HS" | "SC" | "IN";
  /** First request, renewal, extension or change (X12 1322). */
  readonly certificationTypeCode?: string;
  /** Type of service (X12 1365). */
  readonly serviceTypeCode?: string;
  /** Where it is done, by the CMS code. */
  readonly placeOfServiceCode?: string;
  /** How soon it is needed (X12 1338). */
  readonly serviceLevelCode?: "U" | "E" | "03";
  /** That, or why, it is urgent; for the reviewer, not submitted. */
  readonly urgentAttestation?: boolean | string;
  /** First day. */
  readonly fromDate?: string;
  /** Last day. */
  readonly toDate?: string;
  /** How many units. */
  readonly quantity?: number;
  /** Unit of the quantity (X12 673). Without one, pas-fhir submits none and service-review asks for it. */
  readonly quantityTypeCode?: string;
  readonly subscriber?: {
    /** Member ID on the insurance card. */
    readonly memberId?: string;
    /** Last name. */
    readonly lastName?: string;
    /** First name. */
    readonly firstName?: string;
    /** Middle name. */
    readonly middleName?: string;
    /** Title before the name. */
    readonly namePrefix?: string;
    /** Generation or title after the name. */
    readonly nameSuffix?: string;
    /** Street and number. */
    readonly addressLine1?: string;
    /** Second line of the address. */
    readonly addressLine2?: string;
    /** City. */
    readonly city?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
    /** ZIP code. */
    readonly zipCode?: string;
    /** Telephone. */
    readonly phone?: string;
    /** Preferred language. */
    readonly languageCode?: string;
  };
  readonly patient?: {
    /** Last name. */
    readonly lastName?: string;
    /** First name. */
    readonly firstName?: string;
    /** Middle name. */
    readonly middleName?: string;
    /** Title before the name. */
    readonly namePrefix?: string;
    /** Generation or title after the name. */
    readonly nameSuffix?: string;
    /** Street and number. */
    readonly addressLine1?: string;
    /** Second line of the address. */
    readonly addressLine2?: string;
    /** City. */
    readonly city?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
    /** ZIP code. */
    readonly zipCode?: string;
    /** Telephone. */
    readonly phone?: string;
    /** Preferred language. */
    readonly languageCode?: string;
    /** Order among children born together. */
    readonly birthOrder?: number;
    /** Date of birth. */
    readonly birthDate?: string;
    /** Gender as the payer has it (X12 1068). */
    readonly genderCode?: "F" | "M" | "U";
    /** The patient's relationship to the subscriber (X12 1069). */
    readonly subscriberRelationshipCode?: string;
  };
  readonly coverage?: {
    /** Group number. */
    readonly groupNumber?: string;
    /** Group name. */
    readonly groupName?: string;
    /** Plan number. */
    readonly planNumber?: string;
    /** Plan name. */
    readonly planName?: string;
    /** Such as `medicare-advantage`; may decide who reviews the request, and is not submitted. */
    readonly lineOfBusiness?: string;
    /** First day. */
    readonly fromDate?: string;
    /** Last day. */
    readonly toDate?: string;
  };
  readonly requestingProvider?: {
    /** National Provider Identifier. */
    readonly npi?: string;
    /** Tax ID without hyphens. */
    readonly taxId?: string;
    /** Last name. */
    readonly lastName?: string;
    /** First name. */
    readonly firstName?: string;
    /** Middle name. */
    readonly middleName?: string;
    /** Role of a rendering provider (X12 98). */
    readonly roleCode?: string;
    /** Street and number. */
    readonly addressLine1?: string;
    /** Second line of the address. */
    readonly addressLine2?: string;
    /** City. */
    readonly city?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
    /** ZIP code. */
    readonly zipCode?: string;
    /** Name of an organization, in place of a person's. */
    readonly organizationName?: string;
    /** Specialty, as a taxonomy code. */
    readonly specialtyCode?: string;
    /** Whom the payer asks for. */
    readonly contactName?: string;
    /** Telephone. */
    readonly phone?: string;
    /** Fax. */
    readonly fax?: string;
  };
  readonly renderingProviders?: readonly {
    /** National Provider Identifier. */
    readonly npi?: string;
    /** Tax ID without hyphens. */
    readonly taxId?: string;
    /** Last name. */
    readonly lastName?: string;
    /** First name. */
    readonly firstName?: string;
    /** Middle name. */
    readonly middleName?: string;
    /** Role of a rendering provider (X12 98). */
    readonly roleCode?: string;
    /** Street and number. */
    readonly addressLine1?: string;
    /** Second line of the address. */
    readonly addressLine2?: string;
    /** City. */
    readonly city?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
    /** ZIP code. */
    readonly zipCode?: string;
    /** Name of an organization, in place of a person's. */
    readonly organizationName?: string;
    /** Specialty, as a taxonomy code. */
    readonly specialtyCode?: string;
    /** Whom the payer asks for. */
    readonly contactName?: string;
    /** Telephone. */
    readonly phone?: string;
    /** Fax. */
    readonly fax?: string;
  }[];
  readonly diagnoses?: readonly {
    /** ICD-10-CM code. */
    readonly code: string;
    /** What kind of diagnosis it is (X12 1270). */
    readonly qualifierCode?: "ABK" | "ABF" | "ABJ";
    /** What the code means, in your words. */
    readonly description?: string;
    /** When it was diagnosed. */
    readonly date?: string;
  }[];
  readonly providerNotes?: readonly {
    /** A note to the payer. */
    readonly message: string;
    /** Day the note was written; not submitted. */
    readonly date?: string;
  }[];
  /** Number of an earlier authorization. */
  readonly authorizationNumber?: string;
  /** Priority of an admission or visit (NUBC); then the request describes a stay. */
  readonly admissionTypeCode?: string;
  /** Point of origin of an admission (NUBC). */
  readonly admissionSourceCode?: string;
  /** Patient's status (NUBC). */
  readonly patientStatusCode?: string;
  /** Residential status in a nursing home (X12 1345). */
  readonly nursingHomeResidentialStatusCode?: string;
  /** Expected day of discharge. */
  readonly dischargeDate?: string;
  readonly facility?: {
    /** Facility where the service is provided. */
    readonly name?: string;
    /** National Provider Identifier. */
    readonly npi?: string;
    /** Telephone. */
    readonly phone?: string;
    /** Street and number. */
    readonly addressLine1?: string;
    /** Second line of the address. */
    readonly addressLine2?: string;
    /** City. */
    readonly city?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
    /** ZIP code. */
    readonly zipCode?: string;
  };
  readonly accident?: {
    /** Day of the accident. */
    readonly date?: string;
    /** Kind of accident (X12 1362). */
    readonly typeCode?: string;
    /** State, by the two letters of the postal service. */
    readonly stateCode?: string;
  };
  readonly conditions?: readonly {
    /** What the condition is about (X12 1136). */
    readonly categoryCode: string;
    /** Whether the conditions apply. */
    readonly applies: boolean;
    /** The conditions (X12 1321). */
    readonly codes: readonly string[];
  }[];
  readonly homeHealth?: {
    /** Prognosis (X12 923). */
    readonly prognosisCode?: string;
    /** Start of home health care. */
    readonly startDate?: string;
  };
  /** Why it is asked after the service. */
  readonly retrospectiveReason?: string;
  /** What made it an emergency. */
  readonly emergencyReason?: string;
  /** Your own reference; not submitted. */
  readonly externalReference?: string;
  readonly fileTypes?: readonly {
    /** A file of the request, by the name it was sent with. */
    readonly fileName: string;
    /** What it is (LOINC); the code of the payer's request if it answers one. */
    readonly loincCode?: string;
    /** What it is (X12 755, PWK01); the code of the payer's request if it answers one. */
    readonly reportTypeCode?: string;
  }[];
  readonly appeal?: {
    /** How a determination is contested; with the message's `taskId`. */
    readonly type: "reconsideration" | "appeal";
    /** Why it is contested. */
    readonly reason: string;
  };
};
